import { Type } from 'typebox'
import { GAP_SEVERITIES, RECORD_SIGNERS, type RecordSettings } from '../domain/training-record.ts'
import * as field from './fields.ts'

const settings = {
  signatures: Type.Array(Type.Enum([...RECORD_SIGNERS]), {
    maxItems: RECORD_SIGNERS.length,
    uniqueItems: true,
    description: 'The signatures that a record needs once the training has ended.',
  }),
  content: Type.Enum([...GAP_SEVERITIES], {
    description:
      'Whether a drive without a note on what was practised is a `defect` of the record or a `note`.',
  }),
}

const ABOUT = "The school's demands on training records; at first those of the country."

/** The facts and demands of the school that a training record needs. */
export const recordFields = {
  address: field.described(
    field.nullable(field.Address),
    "The school's address as records show it, in lines; null if unknown.",
  ),
  responsible: field.described(
    field.nullable(field.Name),
    'The owner or responsible manager, who signs records for the school; null if unknown.',
  ),
}

export const recordSettings = {
  record: Type.Unsafe<RecordSettings>(field.closed(settings, { description: ABOUT })),
}

/** The settings as a field of a change of the school. */
export const changedRecordSettings = {
  record: Type.Unsafe<Partial<RecordSettings>>(
    field.closed(field.optionals(settings), { description: `${ABOUT} Omitted settings keep their values.` }),
  ),
}
