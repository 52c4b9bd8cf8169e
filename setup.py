"""The wheel has libulpscope in the package, so it is of a platform, and of no version of Python.

ULPSCOPE_LIBRARY names a library that is built already; without it CMake builds one, without CUDA, in build/python.
pyproject.toml has all else.  Nothing is written to the sources: setuptools builds in build/ as well.
"""

import os
import shutil
import subprocess

import setuptools
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel  # from setuptools 70 on
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(ROOT, "build", "python")


def built_library():
    given = os.environ.get("ULPSCOPE_LIBRARY")
    if given:
        return given
    subprocess.check_call(["cmake", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DULPSCOPE_CUDA=OFF", "-DBUILD_TESTING=OFF"])
    subprocess.check_call(["cmake", "--build", BUILD, "--target", "ulpscope_library", "--parallel"])
    return os.path.join(BUILD, "libulpscope.so")


class WithLibrary(build_py):
    def run(self):
        super().run()
        if not self.editable_mode:  # which finds the library of build/default
            folder = os.path.join(self.build_lib, "ulpscope")
            shutil.copyfile(built_library(), os.path.join(folder, "libulpscope.so"))


class OfAnyPython(bdist_wheel):
    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class OfPlatform(setuptools.Distribution):
    def has_ext_modules(self):
        return True


os.makedirs(os.path.dirname(BUILD), exist_ok=True)
setuptools.setup(distclass=OfPlatform, cmdclass={"build_py": WithLibrary, "bdist_wheel": OfAnyPython},
                 options={"build": {"build_base": os.path.join("build", "wheel")}, "egg_info": {"egg_base": "build"}})
