import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { FLOOR_BYTES } from '../../src/db/upkeep/disk-space.ts'
import { Client, statusOf } from '../support/client.ts'
import { enter, PASSWORD, type School } from '../support/factory.ts'
import { complaintsOf, JWT_SECRET, linesOf, type Program, until } from '../support/process.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool, tenantCreate } from './school.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const sandbox = useSandbox()
const disks: SmallDisk[] = []

/** Enough for a new database, the free space that the service requires, and a little more. */
const DISK_MEBIBYTES = 200

afterAll(() => {
  for (const disk of disks) disk.unmount()
})

it.concurrent('a nearly full disk makes writes return 503 until there is space, while reads are served (F13)', async () => {
  const { disk, DATA_DIR } = await onSmallDisk()
  const { service, url } = await sandbox.serve({ DATA_DIR })
  const school = await enter({ url }, await makeSchool(sandbox, { DATA_DIR }))
  const { client, user } = school
  const book = bookingsWith(school, (await school.instructor()).id)
  const addStudent = () => client.post('/students', { first_name: 'Lena', last_name: 'Vogt' })
  expect((await book()).status).toBe(201)

  disk.fillUpTo(FLOOR_BYTES / 2)
  await until(async () => (await book()).status !== 201)
  const login = await new Client({ url }).post('/auth/login', { email: user.email, password: PASSWORD })
  const refused = [await book(), await addStudent(), login]
  for (const { status, headers, body } of refused) {
    expect({ status, body }).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(headers.get('retry-after')).toBe('1')
  }
  expect(await statusOf(url, '/readyz')).toBe(503)
  expect(await statusOf(url, '/healthz')).toBe(200)
  expect((await client.get('/appointments')).status).toBe(200)
  const command = await sandbox.run(tenantCreate(), { DATA_DIR })
  expect(command).toMatchObject({ code: 1, out: '' })
  expect(complaintsOf(command).at(-1)).toContain('takes no writes')
  expect((await sandbox.run(['tenant', 'list'], { DATA_DIR })).code).toBe(0)

  disk.empty()
  await until(async () => (await book()).status === 201)
  expect((await addStudent()).status).toBe(201)
  expect(await statusOf(url, '/readyz')).toBe(200)
  expect((await service.stop()).code).toBe(0)
  expect(eventsOf(service).filter((event) => event?.startsWith('disk_'))).toEqual([
    'disk_full',
    'disk_has_space',
  ])
})

it.concurrent('serve and migrate do not start on a nearly full disk, and leave the database unchanged (F13)', async () => {
  const { disk, DATA_DIR } = await onSmallDisk()
  disk.fillUpTo(FLOOR_BYTES / 2)
  const before = await readdir(join(DATA_DIR, 'database/pg_wal'))
  for (const command of ['serve', 'migrate']) {
    const exit = await sandbox.run([command], { DATA_DIR, JWT_SECRET, PORT: '0' })
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([
      expect.stringMatching(/almost full: 3\d MiB are free .* needs 64 MiB/),
    ])
  }
  expect(await readdir(join(DATA_DIR, 'database/pg_wal'))).toEqual(before)
  disk.empty()
  expect((await sandbox.run(['migrate'], { DATA_DIR })).code).toBe(0)
})

async function onSmallDisk(): Promise<{ disk: SmallDisk; DATA_DIR: string }> {
  const folder = await sandbox.folder()
  const disk = mountSmallDisk(folder, DISK_MEBIBYTES)
  disks.push(disk)
  const DATA_DIR = join(folder, 'data')
  await mkdir(DATA_DIR)
  await cp(await sandbox.dataDir(), DATA_DIR, { recursive: true })
  return { disk, DATA_DIR }
}

/** Returns a function that books a lesson on a new day each time. */
function bookingsWith(school: School, instructor_id: string) {
  let day = Date.UTC(2031, 0, 1)
  return () => {
    day += 86_400_000
    const date = new Date(day).toISOString().slice(0, 10)
    return school.book({ instructor_id, start_at: `${date} 10:00`, end_at: `${date} 10:45` })
  }
}

function eventsOf({ out }: Program): readonly (string | undefined)[] {
  return linesOf(out).map((line): string | undefined => JSON.parse(line).event)
}
