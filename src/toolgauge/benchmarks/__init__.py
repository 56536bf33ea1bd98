"""The benchmarks that are shipped: suites of questions of our own, and the tools to answer them with."""

from .catalogue import BENCHMARKS, Benchmark, benchmark_tools, load_benchmark, shipped_suite

__all__ = ["BENCHMARKS", "Benchmark", "benchmark_tools", "load_benchmark", "shipped_suite"]
