"""The rewrites, cut by what they are about; each is ``(schema, path) -> (schema, notes)``."""
