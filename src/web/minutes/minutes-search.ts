import { isLocalDate } from '../../domain/local-time.ts'
import { textIn } from '../ui/id-in.ts'

/** The page's parameter: the month, `YYYY-MM`; by default the present one. */
export type MinutesSearch = { readonly month?: string }

export function minutesSearchIn({ month }: Readonly<Record<string, unknown>>): MinutesSearch {
  const text = textIn(month)
  return { month: text?.length === 7 && isLocalDate(`${text}-01`) && text >= '2000' ? text : undefined }
}
