const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const STAMP = /\d{4}-\d\d-\d\dT[\d:.]+Z|\b20\d{6}T\d{6}Z/g
/** Values that depend on the time of the request: in warnings, and the minutes from a cancellation to its lesson. */
const MINUTE = /("(?:now|since|notice_minutes)": ?)("[^"]+"|-?\d+)/g
/** An instructor's colour, which derives from the id unless a user chooses one. */
const COLOUR = /#[\dA-F]{6}\b/g
/** Tokens, cursors and hashes. */
const SECRET = /[\w-]{43,}={0,2}|sha256-[\w+/=]+/g

/**
 * Returns a function that normalizes a school's texts, so that another school with the same history has equal ones: an id
 * becomes the number of its first appearance, and times, colours and secrets become constants.
 */
export function normalizer(): (what: string, text: string) => string {
  const names = new Map<string, string>()
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `id ${names.size}`
    names.set(id, name)
    return name
  }
  return (what, text) =>
    `${what} ${inAnyOrder(text, names)}`
      .replace(ID, nameOf)
      .replace(STAMP, 'then')
      .replace(MINUTE, '$1"then"')
      .replace(COLOUR, 'colour')
      .replace(SECRET, 'secret')
}

/** Sorts changes by their content: those of one request have the same time and are ordered by their random ids. */
function inAnyOrder(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes('"set_id"')) return text
  const body = JSON.parse(text)
  const list: unknown[] | undefined = Array.isArray(body) ? body : body.changes
  if (!list) return text
  const key = (one: unknown) =>
    JSON.stringify(one)
      .replace(ID, (id) => names.get(id) ?? 'new')
      .replace(STAMP, 'then')
      .replace(MINUTE, '$1"then"')
  return JSON.stringify(
    list
      .map((one) => [key(one), one] as const)
      .sort(byKey)
      .map(([, one]) => one),
  )
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}
