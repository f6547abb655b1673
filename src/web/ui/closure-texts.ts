import type { Closure } from '../../contract/closure.ts'
import { dateText, type Fields, text } from './field-kinds.ts'

export const CLOSURE: Fields<Closure> = {
  start_date: { label: 'request.from', words: dateText },
  end_date: { label: 'request.to', words: dateText },
  note: text('field.notes'),
}
