import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choiceOf, type EnrolmentState, isOpen, mayBeCurrent, OUTCOMES } from './enrolments.ts'

type One = EnrolmentState & { readonly id: string }

const TODAY = '2026-05-04'
const TEMPLATES = [
  { id: 'b', license_class: 'B', law: null },
  { id: 'b197', license_class: 'B', law: null },
  { id: 'a1', license_class: 'A1', law: null },
  { id: 'be', license_class: 'BE', law: null },
]

const template = fc.constantFrom(...TEMPLATES)

/** Enrolments as the database allows them: one open for each class, one current. */
const enrolments = fc
  .array(
    fc.record({
      template,
      outcome: fc.constantFrom(null, null, ...OUTCOMES),
      begins_on: fc.constantFrom('2026-01-01', TODAY, '2026-06-01'),
      is_current: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .map((given) => {
    const open = new Set<string>()
    let hasCurrent = false
    return given.flatMap(
      ({ template: { id, license_class }, outcome, begins_on, is_current }, index): One[] => {
        if (outcome === null && open.has(license_class)) return []
        if (outcome === null) open.add(license_class)
        const isCurrent = is_current && !hasCurrent && mayBeCurrent({ outcome }, true)
        hasCurrent ||= isCurrent
        const ends_on = outcome && begins_on
        return [
          {
            id: `${index}`,
            template_id: id,
            license_class,
            law: null,
            outcome,
            begins_on,
            ends_on,
            is_current: isCurrent,
          },
        ]
      },
    )
  })

/** Applies a choice as the use case writes it. */
function choose(all: readonly One[], chosen: (typeof TEMPLATES)[number] | null, used: ReadonlySet<string>) {
  const { changed, deleted, left, begun } = choiceOf(all, chosen, {
    today: TODAY,
    isUsed: ({ id }) => used.has(id),
  })
  const written = new Map([left, changed].flatMap((one) => (one ? [[one.stored.id, one.next]] : [])))
  const kept = all.filter((one) => one !== deleted).map((one) => written.get(one.id) ?? one)
  const fresh: One[] = begun
    ? [
        {
          id: 'new',
          template_id: begun.id,
          license_class: begun.license_class,
          law: begun.law,
          outcome: null,
          begins_on: TODAY,
          ends_on: null,
          is_current: true,
        },
      ]
    : []
  return { rows: [...kept, ...fresh], deleted, left, changed, begun }
}

describe('a choice of the class', () => {
  it('leaves the chosen template current, one open enrolment for each class, and no used one deleted', () => {
    fc.assert(
      fc.property(enrolments, fc.option(template), fc.array(fc.string()), (all, chosen, ids) => {
        const used = new Set([...ids, ...all.filter((_, index) => index % 2).map(({ id }) => id)])
        const { rows, deleted } = choose(all, chosen, used)
        const current = rows.filter(({ is_current }) => is_current)
        expect(current.map(({ template_id }) => template_id)).toEqual(chosen ? [chosen.id] : [])
        const open = rows.filter(isOpen).map(({ license_class }) => license_class)
        expect(new Set(open).size).toBe(open.length)
        if (deleted) expect(used.has(deleted.id)).toBe(false)
        for (const { outcome, begins_on, ends_on } of rows) {
          expect(outcome === null).toBe(ends_on === null)
          if (ends_on !== null) expect(ends_on >= begins_on).toBe(true)
        }
      }),
    )
  })

  it('writes nothing for the template of the current one', () => {
    fc.assert(
      fc.property(enrolments, (all) => {
        const current = all.find(({ is_current }) => is_current)
        const chosen = TEMPLATES.find(({ id }) => id === current?.template_id) ?? null
        const { rows } = choose(all, chosen, new Set())
        expect(rows).toEqual(all)
      }),
    )
  })

  it('ends a used one as changed, or as stopped for none, and never the open ones beside it', () => {
    fc.assert(
      fc.property(enrolments, fc.option(template), (all, chosen) => {
        const { rows } = choose(all, chosen, new Set(all.map(({ id }) => id)))
        const ended = rows.filter((one) => !isOpen(one) && isOpen(all.find(({ id }) => id === one.id) ?? one))
        expect(ended.length).toBeLessThanOrEqual(1)
        for (const { id, outcome, is_current } of ended) {
          expect([outcome, is_current]).toEqual([chosen ? 'changed' : 'stopped', false])
          expect(all.find((one) => one.id === id)?.is_current).toBe(true)
        }
      }),
    )
  })
})
