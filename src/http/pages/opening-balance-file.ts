import { findDuplicateEntries, planOpeningBalances } from '../../booking/imports/import-opening-balances.ts'
import {
  type ImportedEntry,
  ImportedEntrySchema,
  type OpeningBalanceImportPreview,
} from '../../contract/opening-balance-import.ts'
import { strictAjv } from '../../contract/strict-ajv.ts'
import {
  type BalanceFileColumn,
  balanceCatalogue,
  balanceColumns,
  balanceLines,
} from '../../csv/balance-lines.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import { readIdentities } from '../../db/students/students.ts'
import { MAX_IMPORTED_LINES } from '../../domain/ranges.ts'
import { localToday } from '../../domain/time-zone.ts'
import { onFirstUse } from '../on-first-use.ts'
import { importedFile } from './imported-files.ts'

export const openingBalanceFile = importedFile<ImportedEntry, BalanceFileColumn, OpeningBalanceImportPreview>(
  {
    columns: balanceColumns,
    required: ['last_name', 'first_name', 'lesson_type', 'units', 'date', 'source'],
    mostLines: MAX_IMPORTED_LINES,
    validator: onFirstUse(() => strictAjv().compile(ImportedEntrySchema)),
    columnsByField: { student_id: 'last_name', first_name: 'last_name', lesson_type_id: 'lesson_type' },
    linesIn: async (table, reading, { db, actor: { tenant, now }, slicer }) => {
      const [students, types] = await Promise.all([
        readIdentities(db, tenant.id),
        readLessonTypeNames(db, tenant.id),
      ])
      const lesson_types = [...types].map(([id, { code, name }]) => ({ id, names: [name, code] }))
      const { timezone } = tenant
      const catalogue = await slicer.run(balanceCatalogue(students, lesson_types))
      return balanceLines(table, { ...reading, catalogue, today: localToday(now, timezone), timezone })
    },
    plan: planOpeningBalances,
    preview: async ({ lines, count, sample, outline }, { db, actor, slicer }) => ({
      ...outline,
      entries: count,
      sample,
      duplicates: await findDuplicateEntries(db, actor.tenant.id, lines, slicer),
    }),
  },
)
