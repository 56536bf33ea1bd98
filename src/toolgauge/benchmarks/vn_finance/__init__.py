"""The benchmark `vn-finance`: questions of a retail investor in Vietnam, and the five tools to answer them with."""
