"""Counting what comments say, without a network: sentiment, words, topics, moments."""
