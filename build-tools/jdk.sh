# SPDX-License-Identifier: Apache-2.0
# Finds a JDK for the project's commands. To be sourced by a POSIX shell.
#
#   find_jdk 21      sets JDK to the home of a JDK whose major version is at least 21, or fails
#
# Looked at, in order: FAIRLEAD_JAVA_HOME, JAVA_HOME, the java on the PATH, the usual system folders (newest first).

# Prints the major version of the JDK in folder $1, or nothing if there is none.
jdk_major() {
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
  else
    "$1/bin/java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p'
  fi
}

# Is the JDK in folder $1 of major version $2 or newer, and, if it is to build ($3 = build), does it have a compiler?
jdk_fits() {
  jdk_found_major=$(jdk_major "$1")
  [ -n "$jdk_found_major" ] && [ "$jdk_found_major" -ge "$2" ] || return 1
  [ "${3:-run}" = run ] || [ -x "$1/bin/javac" ]
}

# Prints the home of the java on the PATH, links followed.
jdk_on_path() {
  jdk_java=$(command -v java 2>/dev/null) || return 0
  while [ -L "$jdk_java" ]; do
    jdk_link=$(readlink "$jdk_java")
    case $jdk_link in
      /*) jdk_java=$jdk_link ;;
      *) jdk_java=$(dirname "$jdk_java")/$jdk_link ;;
    esac
  done
  (cd "$(dirname "$jdk_java")/.." 2>/dev/null && pwd)
}

# find_jdk MIN [run|build]: sets JDK, or returns 1 and leaves it empty.
find_jdk() {
  JDK=
  if [ -n "${FAIRLEAD_JAVA_HOME:-}" ] && ! jdk_fits "$FAIRLEAD_JAVA_HOME" "$1" "${2:-run}"; then
    echo "FAIRLEAD_JAVA_HOME is $FAIRLEAD_JAVA_HOME, where there is no JDK $1 or newer; looking elsewhere" >&2
  fi
  for jdk_home in "${FAIRLEAD_JAVA_HOME:-}" "${JAVA_HOME:-}" "$(jdk_on_path)"; do
    if [ -n "$jdk_home" ] && jdk_fits "$jdk_home" "$1" "${2:-run}"; then
      JDK=$jdk_home
      return 0
    fi
  done
  jdk_best=0
  for jdk_home in /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/java/* /opt/jdk* "${HOME:-/nonexistent}"/.jdks/* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if jdk_fits "$jdk_home" "$1" "${2:-run}" && [ "$jdk_found_major" -gt "$jdk_best" ]; then
      jdk_best=$jdk_found_major
      JDK=$jdk_home
    fi
  done
  [ -n "$JDK" ]
}
