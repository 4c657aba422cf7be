"""Chapter 15, The price of a long memory."""

ORDER = ("attend_with_cache", "grouped_query_attention", "count_cache", "online_softmax")
