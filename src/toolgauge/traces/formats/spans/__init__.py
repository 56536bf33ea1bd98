"""Spans of OpenTelemetry and OpenInference: their records, what their attributes mean, and what they amount to."""
