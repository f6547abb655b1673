import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, PASSWORD, type Row, type School } from '../support/factory.ts'
import { ROOT } from '../support/process.ts'
import { run } from './package.ts'

const service = useService()
const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8')
let folder = ''
let school: School
let email = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-'))
  school = await aSchool(service())
  email = (await aUser(service(), school.tenantId)).email
  await school.instructor()
  await school.student()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [preparation = '', ...recipes] = [...page.matchAll(/^```sh\n([\s\S]+?)^```/gm)].map(
  ([, block = '']) => block,
)

/** Runs the block under a heading as a reader would, after the first block, and returns its output. Any failing command fails it. */
async function recipe(heading: string): Promise<string> {
  const [part = ''] = page.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? []
  const block = recipes.find((one) => part.includes(one))
  const script = ['--norc', '-euo', 'pipefail', '-c', `${preparation}\n${block}`]
  const { stdout } = await run('bash', script, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      FAHRPLAN_URL: service().url,
      FAHRPLAN_EMAIL: email,
      FAHRPLAN_PASSWORD: PASSWORD,
    },
  })
  return stdout
}

const lessons = async (): Promise<readonly Row[]> => (await school.client.get('/appointments')).body

describe('the recipe', () => {
  it('books a lesson, then moves it to a later time', { tags: 'promise' }, async () => {
    const booked = JSON.parse(await recipe('Book a lesson'))
    expect(await lessons()).toEqual([expect.objectContaining(booked)])
    const moved = JSON.parse(await recipe('Move a lesson'))
    expect(await lessons()).toEqual([expect.objectContaining(moved)])
    expect(moved.id).toBe(booked.id)
    expect(moved.start_at > booked.start_at).toBe(true)
  })

  it('follows changes', async () => {
    expect(await recipe('Follow changes')).toMatch(/^\S+Z .+: created student \S{36}\n$/)
  })

  it('imports vehicles, students and the lessons that they had elsewhere, once', async () => {
    const files = (...counts: readonly number[]) =>
      ['vehicles', 'students', 'lessons-elsewhere']
        .map((file, index) => `{"file":"${file}.csv","imported":${counts[index]}}\n`)
        .join('')
    expect(await recipe('Import a school')).toBe(files(1, 2, 1))
    expect(await recipe('Import a school')).toBe(files(0, 0, 0))
    const { body } = await school.client.get('/students')
    const ottilie = body.find(({ first_name }: Row) => first_name === 'Ottilie')
    const balance = await school.client.get(`/students/${ottilie.id}/opening-balance`)
    expect(balance.body).toEqual([expect.objectContaining({ units: 6, source: 'Fahrschule Nord' })])
  })

  it('puts theory classes on a website', async () => {
    const [instructor] = (await school.client.get('/instructors')).body
    const types = (await school.client.get('/lesson-types')).body
    const lesson_type_id = types.find(({ category }: Row) => category === 'theory').id
    const lesson = { lesson_type_id, instructor_id: instructor.id, title: 'Vorfahrt <1>', seats: 12 }
    const times = { start_at: '2032-05-03 18:00', end_at: '2032-05-03 19:30' }
    expect((await school.client.post('/appointments', { ...lesson, ...times })).status).toBe(201)
    expect(await recipe('Put lessons on a website')).toBe('')
    expect(readFileSync(join(folder, 'lessons.html'), 'utf8')).toBe(
      '<ul>\n<li>2032-05-03 18:00 Vorfahrt &lt;1&gt;, 12 free</li>\n</ul>\n',
    )
  })
})

it('every block of the page is one of these recipes, and every script in TypeScript is linked', () => {
  expect(recipes).toHaveLength(5)
  const scripts = execFileSync('ls', [join(ROOT, 'clients/typescript/examples')], { encoding: 'utf8' })
  for (const name of scripts.trim().split('\n')) expect(page).toContain(`/examples/${name})`)
})
