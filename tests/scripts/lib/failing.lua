-- Fails while it runs.
error("on purpose")
