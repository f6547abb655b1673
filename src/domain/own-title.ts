type NamedType = { readonly name: string; readonly former_names: readonly string[] }

/** Returns a lesson's title; undefined if it is a name that its type has or had, because it was not chosen then. */
export function ownTitle(title: string, type: NamedType | undefined): string | undefined {
  return type && (title === type.name || type.former_names.includes(title)) ? undefined : title
}

export function shownTitle(title: string, type: NamedType | undefined): string {
  return ownTitle(title, type) ?? type?.name ?? title
}

const MAX_FORMER_NAMES = 20

/** Returns a type's former names, oldest first, after a change to a name. A name that is taken up again is none of them. */
export function formerNamesAfter({ name, former_names }: NamedType, next: string): string[] {
  if (name === next) return [...former_names]
  const others = former_names.filter((one) => one !== next && one !== name)
  return [...others, name].slice(-MAX_FORMER_NAMES)
}
