import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Client, must } from '../support/client.ts'
import { enter, PASSWORD, type Row } from '../support/factory.ts'
import { linesOf, once } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'
import { anEmail, makeSchool, printed, tenantCreate, userCreate } from './school.ts'

const sandbox = useSandbox()

/** A service on an embedded database. Each command in this file runs while it serves. */
const running = once(async () => {
  const environment = { DATA_DIR: await sandbox.dataDir() }
  return { environment, ...(await sandbox.serve(environment)) }
})

describe.concurrent('commands beside a running service', () => {
  it('use a socket that only its owner can access', async () => {
    const { DATA_DIR } = (await running()).environment
    const socket = statSync(join(DATA_DIR, 'admin.sock'))
    expect({ isSocket: socket.isSocket(), mode: socket.mode & 0o777 }).toEqual({
      isSocket: true,
      mode: 0o600,
    })
  })

  it('create a user who can log in immediately', async () => {
    const { environment, url } = await running()
    const { client, tenantId, user } = await enter({ url }, await makeSchool(sandbox, environment))
    expect((await client.get('/auth/me')).body).toMatchObject({ ...user, tenant_id: tenantId })
  })

  it('warn about a school with the same name, unless --force is given', async () => {
    const { environment } = await running()
    const name = `Fahrschule ${anEmail()}`
    const create = (...more: string[]) => sandbox.run(tenantCreate('--name', name, ...more), environment)
    const { id } = JSON.parse((await create()).out)
    const [told, sure] = [await create(), await create('--force')]
    expect(told).toMatchObject({
      code: 0,
      err: expect.stringContaining(`There is already a school ${name}: ${id}.`),
    })
    expect(sure).toMatchObject({ code: 0, err: '' })
  })

  it("revoke a user's tokens immediately on disable and set-password", async () => {
    const { environment, url } = await running()
    const school = await makeSchool(sandbox, environment)
    const { email } = school.user
    const statusAfter = async (command: readonly string[], input?: string) => {
      const { client } = await enter({ url }, school)
      expect((await client.get('/auth/me')).status).toBe(200)
      await printed(sandbox, ['user', ...command, '--email', email, '--json'], environment, input)
      return (await client.get('/auth/me')).status
    }
    expect(await statusAfter(['set-password', '--password-stdin'], PASSWORD)).toBe(401)
    expect(await statusAfter(['disable'])).toBe(401)
    const login = await new Client({ url }).post('/auth/login', { email, password: PASSWORD })
    expect(login.status).toBe(401)
  })

  it('exit with 2 for an invalid value and with 1 for an unknown user', async () => {
    const { environment } = await running()
    const wrongValue = await sandbox.run(tenantCreate('--country', 'XX'), environment)
    expect(wrongValue).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^--country .+\n$/) })
    const failure = await sandbox.run(['user', 'disable', '--email', 'missing@school.example'], environment)
    expect(failure).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^.*missing@school.+\n$/) })
  })

  it('are logged with name and exit code, but without arguments or input', async () => {
    const environment = { DATA_DIR: await sandbox.dataDir() }
    const { service } = await sandbox.serve(environment)
    const { tenantId, user } = await makeSchool(sandbox, environment)
    await sandbox.run(['user', 'disable', '--email', 'missing@school.example'], environment)
    await sandbox.run(userCreate(tenantId, 'canary'), environment, 'canary-password')
    await service.says(/"exit_code":2/)
    const events = linesOf(service.out)
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === 'command')
    expect(events).toMatchObject([
      { level: 30, command: 'tenant create', exit_code: 0 },
      { level: 30, command: 'user create', exit_code: 0 },
      { level: 30, command: 'user disable', exit_code: 1 },
      { level: 30, command: 'user create', exit_code: 2 },
    ])
    for (const given of ['canary', PASSWORD, user.email, 'missing@'])
      expect(service.said).not.toContain(given)
  })

  it('print texts with the line separators of Unicode', async () => {
    const { environment, url } = await running()
    const { client, tenantId } = await enter({ url }, await makeSchool(sandbox, environment))
    const notes = 'from\u2028Word\u2029pasted'
    must(201, await client.post('/students', { first_name: 'Lena', last_name: 'Vogt', notes }))
    const exported = await sandbox.run(['student', 'export', '--tenant', tenantId], environment)
    expect(exported).toMatchObject({ code: 0, err: '', out: expect.stringContaining(notes) })
  })

  it('let exactly one of 6 concurrent commands create a user with the same address', async () => {
    const { environment } = await running()
    const { id } = await printed<Row>(sandbox, tenantCreate(), environment)
    const line = userCreate(id, anEmail())
    const exits = await Promise.all(Array.from({ length: 6 }, () => sandbox.run(line, environment, PASSWORD)))
    expect(exits.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1, 1, 1])
    expect(exits.flatMap(({ err }) => linesOf(err))).toEqual(
      Array(5).fill(expect.stringContaining('is taken')),
    )
  })
})

describe.concurrent('two schools on one service', () => {
  const CANARY = 'Canary of the other school'

  it("cannot read or change each other's data", async () => {
    const { environment, url } = await running()
    const made = await Promise.all([makeSchool(sandbox, environment), makeSchool(sandbox, environment)])
    const [ours, theirs] = [await enter({ url }, made[0]), await enter({ url }, made[1])]
    const instructor = await theirs.instructor({ last_name: CANARY })
    const student = await theirs.student({ last_name: CANARY })
    const lesson = {
      instructor_id: instructor.id,
      student_id: student.id,
      lesson_type_id: theirs.lessonTypes.PRACTICE,
      start_at: '2026-05-04 08:00',
      end_at: '2026-05-04 09:30',
      title: CANARY,
    }
    const booked = await theirs.lesson(lesson)

    for (const list of ['/instructors', '/students', '/appointments']) {
      expect((await ours.client.get(list)).body).toEqual([])
    }
    for (const page of ['/bootstrap', '/auth/me', '/lesson-types', '/license-class-templates']) {
      const { text } = await ours.client.get(page)
      for (const foreign of [CANARY, theirs.tenantId, theirs.user.email]) expect(text).not.toContain(foreign)
    }
    const rows = [`/instructors/${instructor.id}`, `/students/${student.id}`, `/appointments/${booked.id}`]
    for (const row of rows) {
      expect((await ours.client.get(row)).status).toBe(404)
      expect((await ours.client.patch(row, { notes: 'ours' })).status).toBe(
        row.startsWith('/ins') ? 400 : 404,
      )
    }
    for (const row of rows.slice(1)) expect((await ours.client.delete(row)).status).toBe(404)

    const own = { instructor_id: (await ours.instructor()).id }
    const times = { start_at: lesson.start_at, end_at: lesson.end_at }
    for (const foreign of ['instructor_id', 'student_id', 'lesson_type_id'] as const) {
      const answer = await ours.book({ ...own, ...times, [foreign]: lesson[foreign] })
      expect({ foreign, status: answer.status }).toEqual({ foreign, status: 404 })
    }
    expect((await ours.book({ ...own, ...times })).status).toBe(201)
    expect((await theirs.client.get(`/appointments/${booked.id}`)).body).toEqual(booked)
  })
})
