"""Which of several values answers a question: rules, each with a weight, and what they look at."""
