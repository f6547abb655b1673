import { describe, expect, it } from 'vitest'
import { isInPart, type Tag, tagsFilterFor } from './support/gate.ts'

const PROJECTS = ['unit', 'postgres', 'embedded', 'web', 'cli']

function gateFor(...tags: Tag[]): readonly string[] {
  return PROJECTS.filter((project) => isInPart(project, tags, 'gate'))
}

describe('the gate', () => {
  it('runs an untagged test in the projects unit and postgres', () => {
    expect(gateFor()).toEqual(['unit', 'postgres'])
  })

  it('also runs a test tagged embedded on the embedded database', () => {
    expect(gateFor('embedded')).toEqual(['unit', 'postgres', 'embedded'])
  })

  it('runs a test tagged embedded_later on PostgreSQL, and leaves the embedded database to the rest', () => {
    expect(gateFor('embedded_later')).toEqual(['unit', 'postgres'])
    expect(isInPart('embedded', ['embedded_later'], 'rest')).toBe(true)
    expect(isInPart('postgres', ['embedded_later'], 'rest')).toBe(false)
  })

  it('also runs a test tagged promise in the projects web and cli', () => {
    expect(gateFor('promise')).toEqual(['unit', 'postgres', 'web', 'cli'])
  })

  it('runs no test tagged long', () => {
    expect(gateFor('long')).toEqual([])
    expect(gateFor('long', 'promise', 'embedded')).toEqual([])
  })

  it('and the rest both run a test tagged rounds, and the embedded database only in the rest', () => {
    expect(gateFor('rounds', 'embedded')).toEqual(['unit', 'postgres'])
    for (const project of PROJECTS) expect(isInPart(project, ['rounds', 'embedded'], 'rest')).toBe(true)
  })

  it('and the rest together run a test on the embedded database only if a tag says so', () => {
    for (const tags of [[], ['promise'], ['long']] satisfies Tag[][]) {
      expect(isInPart('embedded', tags, 'gate')).toBe(false)
      expect(isInPart('embedded', tags, 'rest')).toBe(false)
      expect(isInPart('embedded', tags, 'all')).toBe(true)
    }
    expect(isInPart('embedded', ['rounds'], 'rest')).toBe(true)
  })

  it('and the rest together run every other test exactly once', () => {
    const sets: readonly Tag[][] = [[], ['embedded'], ['promise'], ['long'], ['long', 'embedded', 'promise']]
    for (const project of PROJECTS) {
      for (const tags of sets.filter((one) => project !== 'embedded' || one.includes('embedded'))) {
        const parts = (['gate', 'rest'] as const).filter((part) => isInPart(project, tags, part))
        expect(parts, `${project}: ${tags.join()}`).toHaveLength(1)
        expect(isInPart(project, tags, 'all')).toBe(true)
      }
    }
  })

  it('is selected by a tag expression for each project', () => {
    expect(tagsFilterFor('postgres', 'gate')).toEqual(['!long'])
    expect(tagsFilterFor('web', 'gate')).toEqual(['promise && !long'])
    expect(tagsFilterFor('web', 'rest')).toEqual(['rounds || (!(promise && !long))'])
    expect(tagsFilterFor('embedded', 'rest')).toEqual(['rounds || ((embedded && long) || embedded_later)'])
    expect(tagsFilterFor('web', 'all')).toEqual([])
  })
})
