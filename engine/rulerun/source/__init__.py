"""Where text comes from and how faults are told: the ground floor, which knows neither YAML nor rules."""
