/** A form above the page. */
export type OpenForm = {
  /** Closes it, or asks first if input would be lost. */
  leave: () => void
  isFilled: () => boolean
  isBeside: boolean
}

/** Topmost last. */
export const openForms: OpenForm[] = []

/** Asks before the topmost form loses input, unless it stays beside the page. Returns whether it asks. */
export function asksBeforeLeaving(): boolean {
  const top = openForms.at(-1)
  if (!top?.isFilled() || top.isBeside) return false
  top.leave()
  return true
}
