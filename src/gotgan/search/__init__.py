"""Search across all domains: an index of their documents, and the verbs that read it."""
