/** Marks without width, which programs put around numbers and addresses; those that shape letters are kept. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const WIDE_SPACES = /[\u00a0\u2007\u202f]/g
const IN_BRACKETS = /^[^<>]*<([^<>@\s]+@[^<>@\s]+)>[\s,;.]*$/
const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/
const SCHEME = /^(?:mailto|tel):(?:\/\/)?/i
const BEFORE = /^[\s"'<([,;]+/
const AFTER = /[\s"'>)\],;.:]/

export function visibleText(text: string): string {
  return text.replace(UNSEEN, '').replace(WIDE_SPACES, ' ').trim()
}

/** Returns the one e-mail address in a text as programs copy it, or else the text: `max@x.de` for `Max <MAX@X.DE>;` and `mailto:max@x.de`. */
export function pastedEmail(text: string): string {
  const seen = visibleText(text)
  const [, inner = seen] = IN_BRACKETS.exec(seen) ?? []
  const bare = withoutEnd(inner.replace(BEFORE, '').replace(SCHEME, '').split('?')[0] ?? '')
  if (!ADDRESS.test(bare)) return seen
  // Capitals alone are a habit of the sender; in mixed case they may matter to the receiver.
  return bare === bare.toUpperCase() ? bare.toLowerCase() : bare
}

/** Returns the number in a text as programs copy it: without `tel:` and invisible marks. */
export function pastedPhone(text: string): string {
  return visibleText(text).replace(SCHEME, '')
}

function withoutEnd(text: string): string {
  let end = text.length
  while (end > 0 && AFTER.test(text.slice(end - 1, end))) end -= 1
  return text.slice(0, end)
}
