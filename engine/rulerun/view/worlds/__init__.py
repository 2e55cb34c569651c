"""Sampled worlds: starts whose replay gives a seat an equal record. Begin reading at `sampling`."""
