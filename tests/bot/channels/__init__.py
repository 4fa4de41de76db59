"""Channels against fakes of their servers."""
