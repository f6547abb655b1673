import { describe, expect, it } from 'vitest'
import { isInPart, type Tag, tagsFilterFor } from './support/gate.ts'

const PROJECTS = ['unit', 'postgres', 'embedded', 'web', 'cli']

function gateFor(...tags: Tag[]): readonly string[] {
  return PROJECTS.filter((project) => isInPart(project, tags, 'gate'))
}

describe('the gate', () => {
  it('has a test without a tag in the unit tests and on PostgreSQL', () => {
    expect(gateFor()).toEqual(['unit', 'postgres'])
  })

  it('has a test on the embedded database if the kind of database matters', () => {
    expect(gateFor('embedded')).toEqual(['unit', 'postgres', 'embedded'])
  })

  it('has a journey or a command that shows a promise', () => {
    expect(gateFor('promise')).toEqual(['unit', 'postgres', 'web', 'cli'])
  })

  it('has no long test', () => {
    expect(gateFor('long')).toEqual([])
    expect(gateFor('long', 'promise', 'embedded')).toEqual([])
  })

  it('has a part of the rounds of a test, and the rest has the others', () => {
    expect(gateFor('rounds', 'embedded')).toEqual(['unit', 'postgres', 'embedded'])
    for (const project of PROJECTS) expect(isInPart(project, ['rounds', 'embedded'], 'rest')).toBe(true)
  })

  it('and the rest are every test, each once', () => {
    const sets: readonly Tag[][] = [[], ['embedded'], ['promise'], ['long'], ['long', 'embedded', 'promise']]
    for (const project of PROJECTS) {
      for (const tags of sets) {
        const parts = (['gate', 'rest'] as const).filter((part) => isInPart(project, tags, part))
        expect(parts, `${project}: ${tags.join()}`).toHaveLength(1)
        expect(isInPart(project, tags, 'all')).toBe(true)
      }
    }
  })

  it('is chosen by an expression of tags for each project', () => {
    expect(tagsFilterFor('postgres', 'gate')).toEqual(['!long'])
    expect(tagsFilterFor('web', 'gate')).toEqual(['promise && !long'])
    expect(tagsFilterFor('web', 'rest')).toEqual(['rounds || !(promise && !long)'])
    expect(tagsFilterFor('web', 'all')).toEqual([])
  })
})
