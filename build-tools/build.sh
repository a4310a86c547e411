# SPDX-License-Identifier: Apache-2.0
# Builds one runnable jar of the project when it is missing or older than its sources. To be sourced, after jdk.sh.
#
#   build_if_stale ROOT MODULE JAR     progress and errors go to standard error

# Is the jar $2 missing, or is any source, resource or POM below $1 newer?
is_stale() {
  [ -f "$2" ] || return 0
  [ -n "$(find "$1" \( -name target -o -name .git -o -name node_modules -o -name specs -o -path '*/src/test' \) -prune \
    -o \( -name pom.xml -o -path '*/src/main/*' \) -type f -newer "$2" -print 2>/dev/null | head -n 1)" ]
}

# Reads Maven's output, keeps all of it in file $1 and shows one line that tells how far the build is.
show_progress() {
  tty=no
  fetching=no
  if [ -t 2 ]; then tty=yes; fi
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1"
    case $line in
      *"] Building fairlead-"*" ["*"]"*)
        step=${line#*Building }
        if [ $tty = yes ]; then
          printf '\r\033[Kbuilding %s' "$step" >&2
        else
          printf 'building %s\n' "$step" >&2
        fi
        ;;
      *Downloading*)
        if [ $tty = yes ]; then
          printf '\r\033[Kfetching %s' "${line##*/}" >&2
        elif [ $fetching = no ]; then
          fetching=yes
          echo "fetching what the build needs" >&2
        fi
        ;;
    esac
  done
  if [ $tty = yes ]; then printf '\r\033[K' >&2; fi
}

# Maven ends its output with colour codes and no line feed, so the status begins a line of its own.
build_if_stale() {
  is_stale "$1" "$3" || return 0
  if ! find_jdk 25 build; then
    echo "fairlead: building needs a JDK 25 or newer; install one (or name its folder in FAIRLEAD_JAVA_HOME) and try again." >&2
    return 1
  fi
  if ! command -v mvn >/dev/null 2>&1; then
    echo "fairlead: building needs Apache Maven 3.8.7 or newer; install it (it is the package 'maven' on most systems) and try again." >&2
    return 1
  fi
  mkdir -p "$1/target"
  build_log=$1/target/build-$2.log
  : >"$build_log"
  echo "fairlead: building the runnable jar (the first time takes one to three minutes) …" >&2
  # JAVA25_HOME lets Maven's toolchain search find a JDK outside the usual folders.
  if ! { (cd "$1" && JAVA25_HOME=$JDK && export JAVA25_HOME && { command -v java >/dev/null 2>&1 || [ -n "${JAVA_HOME:-}" ] || {
    JAVA_HOME=$JDK
    export JAVA_HOME
  }; } && mvn -B -pl "$2" -am package -Pquick -Dmaven.test.skip=true 2>&1; printf '\nexit %s\n' "$?") | show_progress "$build_log"; } ||
    ! tail -n 1 "$build_log" | grep -qx 'exit 0'; then
    grep -E '^\[(ERROR|FATAL)\]|ERROR' "$build_log" | head -n 40 >&2
    echo "fairlead: the build failed; all of Maven's output is in $build_log" >&2
    return 1
  fi
  # An up-to-date jar that Maven saw no reason to write again is fresh from now on.
  touch "$3"
}
