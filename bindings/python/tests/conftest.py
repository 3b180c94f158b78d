"""Paths of the shipped content, and a folder for the files of a test."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def assets() -> Path:
    """The folder of the shipped models."""
    return ROOT / "scenes" / "assets"


@pytest.fixture
def scenes() -> Path:
    """The folder of the shipped scenes."""
    return ROOT / "scenes"
