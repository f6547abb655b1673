import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import type { Appointment } from '../../contract/appointment.ts'
import * as example from '../../contract/examples.ts'
import { lessonsOfStudent, storeAppointments } from './appointments.ts'

// Node has no `localStorage` for the session to read.
vi.hoisted(() => vi.stubGlobal('localStorage', { getItem: () => null }))

const EMMA = '0199c2a4-0000-7000-8000-000000000001'
const LENA = '0199c2a4-0000-7000-8000-000000000002'

const lesson: Appointment = { ...example.appointment, status: 'planned' }

function theory(...students: readonly string[]): Appointment {
  const attendees = students.map((student_id) => ({ student_id, attended: null }))
  return { ...lesson, student_id: null, attendees }
}

async function listOfEmma(stored: readonly Appointment[], changed: Appointment) {
  const client = new QueryClient()
  const { queryKey } = lessonsOfStudent(EMMA)
  client.setQueryData(queryKey, stored)
  await storeAppointments(client, [changed])
  return client.getQueryData(queryKey)
}

it("a student's lessons keep a changed class, gain one that she joins, and lose one that she leaves", async () => {
  const [alone, both, without] = [theory(EMMA), theory(EMMA, LENA), theory(LENA)]
  expect(await listOfEmma([alone], both)).toEqual([both])
  expect(await listOfEmma([], both)).toEqual([both])
  expect(await listOfEmma([both], without)).toEqual([])
})
