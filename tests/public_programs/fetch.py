# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Source archives by their addresses and SHA256, kept for the next time."""

import hashlib
import os
import tarfile
import urllib.error
import urllib.request

SERVER = "http://deb.debian.org/debian/"


class NotFetched(Exception):
    """An archive that is not to be had."""


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch(archive, sha256, cache):
    """The path of an archive of Debian's pool, fetched if it is not in the cache."""
    path = os.path.join(cache, os.path.basename(archive))
    if os.path.exists(path) and digest(path) == sha256:
        return path
    os.makedirs(cache, exist_ok=True)
    part = path + ".part"
    try:
        urllib.request.urlretrieve(SERVER + archive, part)
    except (urllib.error.URLError, OSError) as error:
        raise NotFetched(f"{SERVER}{archive}: {error}") from error
    if digest(part) != sha256:
        raise NotFetched(f"{SERVER}{archive}: its SHA256 is {digest(part)}, not {sha256}")
    os.replace(part, path)
    return path


def unpack(path, folder):
    """Unpacks an archive. Returns its only folder, or the folder that it is unpacked in."""
    os.makedirs(folder)
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="tar")
    inside = os.listdir(folder)
    only = os.path.join(folder, inside[0]) if len(inside) == 1 else ""
    return only if os.path.isdir(only) else folder
