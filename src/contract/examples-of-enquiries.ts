import { id, versioned } from './examples-of-school.ts'

const told = {
  first_name: 'Mia',
  last_name: 'Wolf',
  license_class: 'B',
  phone: '+49 30 5550199',
  email: null,
  weekdays: [1, 3],
  time_from: '16:00',
  time_to: null,
  message: null,
}

export const enquiry = {
  id: id(81),
  ...told,
  language: 'de',
  state: 'new',
  student_id: null,
  same_as: [],
  ...versioned,
}
