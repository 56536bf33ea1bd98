"""What follows from runs: comparisons, the gate's decision, diagnoses, and faults in the suite itself."""
