"""A stand-in for safetensors in a page, where no weights are stored."""
