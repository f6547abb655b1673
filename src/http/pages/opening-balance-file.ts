import { findDuplicateEntries, planOpeningBalances } from '../../booking/import-opening-balances.ts'
import {
  type ImportedEntry,
  ImportedEntrySchema,
  type OpeningBalanceImportPreview,
} from '../../contract/opening-balance-import.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import {
  type BalanceColumn,
  balanceCatalogue,
  balanceColumns,
  balanceLines,
} from '../../csv/balance-lines.ts'
import { readLessonTypeNames } from '../../db/lesson-types.ts'
import { readIdentities } from '../../db/students.ts'
import { MAX_IMPORTED_LINES } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { onFirstUse } from '../on-first-use.ts'
import { importedFile } from './imported-files.ts'

export const openingBalanceFile = importedFile<ImportedEntry, BalanceColumn, OpeningBalanceImportPreview>({
  columnsOf: balanceColumns.columnsOf,
  required: ['last_name', 'first_name', 'lesson_type', 'units', 'date', 'source'],
  mostLines: MAX_IMPORTED_LINES,
  validator: onFirstUse(() => strictAjv().compile(ImportedEntrySchema)),
  columnsByField: { student_id: 'last_name', first_name: 'last_name', lesson_type_id: 'lesson_type' },
  linesIn: async (table, columns, { db, actor: { tenant, now }, pieces }) => {
    const [students, types] = await Promise.all([
      readIdentities(db, tenant.id),
      readLessonTypeNames(db, tenant.id),
    ])
    const lesson_types = [...types].map(([id, { code, name }]) => ({ id, names: [name, code] }))
    const today = localToday(now, tenant.timezone)
    const catalogue = await pieces.run(balanceCatalogue(students, lesson_types))
    return balanceLines(table, { columns, catalogue, today })
  },
  plan: planOpeningBalances,
  preview: async ({ lines, count, sample, outline }, { db, actor, pieces }) => ({
    ...outline,
    entries: count,
    sample,
    duplicates: await findDuplicateEntries(db, actor.tenant.id, lines, pieces),
  }),
})
