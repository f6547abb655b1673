import type { TFunction } from 'i18next'
import type { TickKind } from '../../../domain/ticks.ts'

/** Returns the name of a paper or test as a label; in sentences it begins with a small letter where the language does. */
export function kindLabel(kind: TickKind, t: TFunction): string {
  const name = t(`tick.${kind}`)
  return name.charAt(0).toUpperCase() + name.slice(1)
}
