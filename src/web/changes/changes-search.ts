import type { Resource } from '../../contract/change.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn, textIn } from '../ui/id-in.ts'

/** `kind` may be any text: the page ignores unknown ones. `person` is the id of the actor. */
export type ChangesSearch = {
  readonly kind?: Resource
  readonly person?: string
  readonly from?: LocalDate
  readonly to?: LocalDate
}

export function changesSearchIn(search: Readonly<Record<string, unknown>>): ChangesSearch {
  return {
    kind: textIn(search.kind) as Resource | undefined,
    person: idIn(search.person),
    from: dateIn(search.from),
    to: dateIn(search.to),
  }
}

function dateIn(value: unknown): LocalDate | undefined {
  return typeof value === 'string' && isLocalDate(value) ? value : undefined
}
