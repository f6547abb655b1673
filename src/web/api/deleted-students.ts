import { queryOptions } from '@tanstack/react-query'
import type { ListedStudent } from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'

/** The deleted students, by name. Read again whenever a student changes. */
export const deletedStudents = queryOptions({
  queryKey: [COMPUTED, 'deleted students'],
  queryFn: (context) => followedGet<readonly ListedStudent[]>('/students?deleted=true', context),
  ...FOLLOWED,
})
