import type { Instructor, InstructorChange, NewInstructor } from '../../contract/instructor.ts'
import { copiesOf } from './people.ts'
import { changing, creating } from './writes.ts'

const INSTRUCTORS = copiesOf('instructors')

export const hireInstructor = creating<Instructor, NewInstructor>(INSTRUCTORS)
export const changeInstructor = changing<Instructor, InstructorChange>(INSTRUCTORS)
