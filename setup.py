"""How the compiled part is built: it is told by its sources, which pyproject.toml cannot say."""

from glob import glob
from runpy import run_path

from setuptools import Extension, setup

FOLDER = "src/toolgauge/compiled"
FINGERPRINT = run_path(f"{FOLDER}/fingerprint.py")["fingerprint"]()

setup(
    ext_modules=[
        Extension(
            "toolgauge.compiled._compiled",
            sources=sorted(glob(f"{FOLDER}/*.c")),
            depends=sorted(glob(f"{FOLDER}/*.h")),
            define_macros=[("FINGERPRINT", str(FINGERPRINT))],
            optional=True,  # without a compiler toolgauge does the same, more slowly
        )
    ]
)
