import { newId } from '../../contract/new-id.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { readLessonTypeNames } from '../../db/school/lesson-types.ts'
import {
  alignTemplates,
  listSchoolsWithOtherTemplates,
  type NewTemplate,
} from '../../db/school/license-class-templates.ts'
import { countries, loadPack, type Pack } from './packs.ts'

/** Brings templates that a pack has gained, or whose dates it has changed, to the schools of its country. */
export async function updateTemplates(database: DatabasePool): Promise<void> {
  for (const country of countries()) {
    const given = storedTemplates(loadPack(country, 'en'), new Map())
    for (const { id: tenantId, locale } of await listSchoolsWithOtherTemplates(database, country, given)) {
      await inTransaction(database, async (db) => {
        const types = await readLessonTypeNames(db, tenantId)
        const idOf = new Map([...types].map(([id, { code }]) => [code, id]))
        await alignTemplates(db, tenantId, storedTemplates(loadPack(country, locale), idOf))
      })
    }
  }
}

/** Returns a pack's templates as a school stores them, by the ids of its lesson types and their categories. */
export function storedTemplates(pack: Pack, idOf: ReadonlyMap<string, string>): readonly NewTemplate[] {
  const isTheory = new Set(
    pack.lesson_types.filter(({ category }) => category === 'theory').map(({ code }) => code),
  )
  const theoryMinutes = pack.theory_unit_minutes === pack.unit_minutes ? null : pack.theory_unit_minutes
  return pack.templates.map(({ requirements, ...template }) => ({
    id: newId(),
    code: template.code,
    license_class: template.license_class,
    name: template.name,
    min_age: template.min_age,
    law: template.law ?? pack.law,
    valid_from: template.valid_from ?? null,
    valid_to: template.valid_to ?? null,
    training_years: pack.training_years,
    requirements: requirements.map((one) => ({
      lesson_type_id: idOf.get(one.lesson_type) ?? '',
      required_units: one.required_units,
      min_one_block_units: one.min_one_block_units,
      unit_minutes: isTheory.has(one.lesson_type) ? theoryMinutes : null,
      by_prior: JSON.stringify(one.by_prior ?? []),
      shared: one.shared ?? false,
      includes: JSON.stringify(one.includes ?? []),
      also: one.also ? JSON.stringify(one.also) : null,
      min_minutes: one.min_minutes ?? null,
      not_by_trainee: one.not_by_trainee ?? false,
    })),
  }))
}
