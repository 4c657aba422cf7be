"""Chapter 15, The KV cache."""

ORDER = ("attend_with_cache", "grouped_query_attention", "count_cache", "online_softmax")
