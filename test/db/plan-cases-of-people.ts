import { addStudents } from '../support/long-list.ts'
import type { Case } from './plan-cases.ts'

/** What is computed from the lessons of students and instructors. */
export const casesOfPeople: readonly Case[] = [
  {
    name: 'the progress of a student',
    status: 200,
    ofWholeStudent: true,
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: ({ school, students }) => school.client.get(`/students/${students[0]}/progress`),
  },
  {
    name: 'a page of the students with their progress',
    status: 200,
    ofWholeStudent: true,
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: ({ school }) => school.client.get('/students?with=progress&limit=10'),
  },
  {
    name: 'the impact of a change of an instructor',
    status: 200,
    reads: 'appointments',
    by: 'appointments_of_instructor',
    ask: ({ school, instructors }) =>
      school.client.post(`/instructors/${instructors[0]}/impact`, { active: false }),
  },
  {
    name: 'a list with progress of more than a page',
    status: 200,
    ofWholeStudent: true,
    reads: 'appointments',
    by: 'appointments_of_student',
    ask: async ({ service, school }) => {
      await addStudents(service, school, 1001)
      return school.client.get('/students?with=progress')
    },
  },
]
