# Sourced by the programs beside it, which set root: the folder of the tree.

copy() { # FOLDER: the tree as it would be committed
  mkdir -p "$1" &&
    git -C "$root" ls-files -z --cached --others --exclude-standard |
    while IFS= read -r -d '' file; do
      if [[ -e $root/$file ]]; then printf '%s\0' "$file"; fi
    done | tar -C "$root" --null -T - -cf - | tar -C "$1" -xf -
}
