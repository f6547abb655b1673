import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import { appendWeeks } from '../../src/demo/school.ts'
import { daysLater } from '../../src/domain/local-time.ts'
import { Client } from '../support/client.ts'
import { complaintsOf, JWT_SECRET, linesOf } from '../support/process.ts'
import { fiveMondaysAround, lessonsByWeek, overlapsIn, refusedIn, type ShownSchool } from './demo-rules.ts'
import { type Demo, EMAIL, MAKING, shownBy, startDemo } from './demo-service.ts'
import { useSandbox } from './sandbox.ts'

const sandbox = useSandbox()
const WEEK_MS = 7 * 24 * 60 * 60 * 1000

/** The tests share one demo: each starts from the state that the previous one left. */
describe('a demo', { tags: 'promise' }, () => {
  let DATA_DIR = ''
  let processes = ''
  let first: Demo
  let started: Date
  let school: Awaited<ReturnType<typeof shownBy>>

  beforeAll(async () => {
    const folder = await sandbox.folder()
    DATA_DIR = join(folder, 'demo')
    processes = join(folder, 'processes')
    const recorder = join(folder, 'recorder.cjs')
    const record = `process.pid + ' ' + process.argv[1] + '\\n'`
    writeFileSync(recorder, `require('fs').appendFileSync(${JSON.stringify(processes)}, ${record})`)
    started = new Date()
    first = await startDemo(sandbox, { DATA_DIR, NODE_OPTIONS: `--require ${recorder}` })
    school = await shownBy(first.api)
  })

  it('announces that it creates the school, then prints its URL and login', async () => {
    const { out, err } = first.program
    expect(linesOf(out)).toEqual([`Ready: ${first.url}`, `Login: office@demo.example / ${first.password}`])
    expect(err).toMatch(MAKING)
  })

  it('is created by a separate process that has exited once the demo is ready', () => {
    const lines = linesOf(readFileSync(processes, 'utf8'))
    const makers = lines
      .filter((line) => line.endsWith('make-demo.ts'))
      .map((line) => Number(line.split(' ')[0]))
    expect(makers).toHaveLength(1)
    for (const pid of makers) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('shows its login in the API description', async () => {
    const { body } = await new Client(first).get('//docs/openapi.json')
    expect(body.info.description).toContain(`\`${EMAIL}\` with the password \`${first.password}\``)
  })

  it('has 6 instructors, 60 students, and five weeks of lessons around today, all but the last one full', () => {
    expect([school.instructors.length, school.students.length]).toEqual([6, 60])
    const weeks = lessonsByWeek(school.appointments)
    expect(Object.keys(weeks)).toEqual(fiveMondaysAround(started))
    // Two holidays on workdays leave half of a week.
    expect(Math.min(...Object.values(weeks).slice(0, -1))).toBeGreaterThan(25)
  })

  it('has a week that waits to be planned, with more wishes than time', async () => {
    const monday = fiveMondaysAround(started).at(-1) ?? ''
    const made = await first.api.post('/plans', { from: monday, to: daysLater(monday, 6), effort: 1 })
    const { id, proposed, left_out } = made.body
    expect(proposed.length).toBeGreaterThan(0)
    const reasons = left_out.map(({ reason }: { reason: { code: string } }) => reason.code)
    expect(new Set(reasons).size).toBeGreaterThan(1)
    expect((await first.api.delete(`/plans/${id}`)).status).toBe(204)
  })

  it('has vehicles, groups, exams, closed days, branches and an open schedule request', async () => {
    const get = async (path: string) => (await first.api.get(path)).body
    const vehicles = await get('/vehicles')
    const kinds = vehicles.map(({ kind }: { kind: string }) => kind)
    expect(kinds.filter((kind: string) => kind === 'car').length).toBeGreaterThanOrEqual(3)
    const trailer = vehicles.find(({ kind }: { kind: string }) => kind === 'trailer').id
    const uses = (count: number) =>
      school.appointments.filter(({ vehicle_ids }) => vehicle_ids.length === count)
    expect(uses(1).length).toBeGreaterThan(100)
    expect(uses(2).every(({ vehicle_ids }) => vehicle_ids.includes(trailer))).toBe(true)
    const classes = school.appointments.filter(({ attendees }) => attendees.length > 3)
    expect(classes.length).toBeGreaterThan(3)
    expect(classes[0]).toMatchObject({ student_id: null, topic: expect.stringMatching(/^Thema \d+$/) })
    expect(school.appointments.some(({ exam_result }) => exam_result?.passed)).toBe(true)
    expect(school.appointments.some(({ pickup_place }) => pickup_place !== null)).toBe(true)
    const [closure] = await get('/closures')
    const holidays = await get('/holidays')
    const days = new Set(school.appointments.map(({ start_at }) => start_at.slice(0, 10)))
    expect(days).not.toContain(closure.start_date)
    for (const { date, is_public } of holidays) if (is_public) expect(days).not.toContain(date)
    expect(await get('/locations')).toHaveLength(2)
    expect(await get('/schedule-requests?status=open')).toHaveLength(1)
    const students = await get('/students?with=readiness')
    expect(students.some(({ readiness }: { readiness: { ready: boolean } }) => readiness.ready)).toBe(true)
  })

  it('passes the doctor while it is running', async () => {
    const { code, out } = await sandbox.run(['doctor', '--rules'], { DATA_DIR })
    expect([code, out]).toEqual([
      0,
      `${school.appointments.length} appointments of 1 school: nothing wrong.\n`,
    ])
  })

  it('has lessons that obey the rules, and no past lesson that is still planned', () => {
    expect(overlapsIn(school.appointments)).toEqual([])
    expect(refusedIn(school)).toEqual([])
    const now = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'short',
      timeStyle: 'short',
    })
    const [hourAgo = '', inAnHour = ''] = [-1, 1].map((hours) => now.format(Date.now() + hours * 3_600_000))
    const statuses = (lessons: ShownSchool['appointments']) => new Set(lessons.map(({ status }) => status))
    expect(statuses(school.appointments.filter(({ end_at }) => end_at < hourAgo))).not.toContain('planned')
    const ahead = statuses(school.appointments.filter(({ start_at }) => start_at > inAnHour))
    expect(ahead).toContain('planned')
    for (const held of ['completed', 'no_show']) expect(ahead).not.toContain(held)
  })

  it('keeps its data directory and demo.json private to their owner', () => {
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700)
    expect(statSync(join(DATA_DIR, 'demo.json')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['demo', []],
    ['demo', ['--reset']],
    ['serve', []],
    ['migrate', []],
  ])('rejects a second process while it is running: %s %j', async (command, options) => {
    const exit = await sandbox.run([command, ...options], { DATA_DIR, JWT_SECRET, PORT: '0' })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([expect.stringContaining(`process ${first.program.pid} ("demo"`)])
    expect(await shownBy(first.api)).toEqual(school)
  })

  it('keeps its rows and password when restarted with another JWT_SECRET and DATABASE_URL', {
    // The further starts, here and below, take half a minute.
    tags: 'long',
  }, async () => {
    expect((await first.program.stop('SIGINT')).code).toBe(0)
    const kept = readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')
    const foreign = { JWT_SECRET, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const again = await startDemo(sandbox, { DATA_DIR, ...foreign })
    expect(again.password).toBe(first.password)
    expect(again.program.said).not.toMatch(MAKING)
    expect(await shownBy(again.api)).toEqual(school)
    expect((await again.program.stop()).code).toBe(0)
    expect(readFileSync(join(DATA_DIR, 'demo.json'), 'utf8')).toBe(kept)
  })

  // Tagged long because the same code makes the weeks of the first start, which the gate checks.
  it('started weeks later adds lessons around that day and keeps the old rows unchanged', {
    tags: 'long',
  }, async () => {
    await first.program.stop('SIGINT')
    const later = await sandbox.copyOf(DATA_DIR)
    const { tenant_id, last_week } = JSON.parse(readFileSync(join(later, 'demo.json'), 'utf8'))
    const db = await connectEmbedded(join(later, 'database'), () => undefined)
    const days = [1, 2, 9].map((weeks) => new Date(Date.now() + weeks * WEEK_MS))
    let lastWeek = last_week
    for (const now of days) lastWeek = await appendWeeks(db, tenant_id, { now, lastWeek })
    await db.destroy()

    const { api, program } = await startDemo(sandbox, { DATA_DIR: later })
    const grown = await shownBy(api)
    await program.stop()
    const known = new Set(school.appointments.map(({ id }) => id))
    expect(grown.appointments.filter(({ id }) => known.has(id))).toEqual(school.appointments)
    const mondays = [new Date(), ...days].flatMap(fiveMondaysAround)
    expect(Object.keys(lessonsByWeek(grown.appointments))).toEqual([...new Set(mondays)])
    expect(overlapsIn(grown.appointments)).toEqual([])
    expect(refusedIn(grown)).toEqual([])
  })

  it.each([[[]], [['--reset']]])(
    'started with %j rejects a database that is not a demo',
    { tags: 'long' },
    async (options) => {
      rmSync(join(DATA_DIR, 'demo.json'), { force: true })
      const exit = await sandbox.run(['demo', ...options], { DATA_DIR, PORT: '0' })
      expect(exit).toMatchObject({ code: 1, out: '' })
      expect(complaintsOf(exit)).toEqual([expect.stringMatching(new RegExp(`${DATA_DIR}.* not a demo`))])
      expect(existsSync(join(DATA_DIR, 'database/PG_VERSION'))).toBe(true)
      expect(existsSync(join(DATA_DIR, 'demo.json'))).toBe(false)
    },
  )

  it('with a truncated demo.json is rejected with the name of that file', { tags: 'long' }, async () => {
    writeFileSync(join(DATA_DIR, 'demo.json'), '{"jwt_sec')
    const exit = await sandbox.run(['demo'], { DATA_DIR, PORT: '0' })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([expect.stringContaining('demo.json')])
  })
})
