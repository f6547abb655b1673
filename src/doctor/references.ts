export type Reference = {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly resource: string
  readonly owner: string
  /** Whether the column names several rows: a list of ids, or of objects with the id under a name. */
  readonly isList?: true | 'student_id'
}

/** References within a school, except those to the row itself and to calendars, which are checked elsewhere. */
export const REFERENCES: readonly Reference[] = [
  {
    table: 'appointments',
    column: 'instructor_id',
    parent: 'instructors',
    resource: 'appointment',
    owner: 'id',
  },
  { table: 'appointments', column: 'student_id', parent: 'students', resource: 'appointment', owner: 'id' },
  {
    table: 'appointments',
    column: 'lesson_type_id',
    parent: 'lesson_types',
    resource: 'appointment',
    owner: 'id',
  },
  {
    table: 'instructors',
    column: 'usual_vehicle_id',
    parent: 'vehicles',
    resource: 'instructor',
    owner: 'id',
  },
  {
    table: 'appointments',
    column: 'location_id',
    parent: 'locations',
    resource: 'appointment',
    owner: 'id',
  },
  { table: 'instructors', column: 'location_id', parent: 'locations', resource: 'instructor', owner: 'id' },
  { table: 'vehicles', column: 'location_id', parent: 'locations', resource: 'vehicle', owner: 'id' },
  {
    table: 'appointments',
    column: 'vehicle_ids',
    isList: true,
    parent: 'vehicles',
    resource: 'appointment',
    owner: 'id',
  },
  {
    table: 'appointments',
    column: 'attendees',
    isList: 'student_id',
    parent: 'students',
    resource: 'appointment',
    owner: 'id',
  },
  {
    table: 'students',
    column: 'preferred_instructor_id',
    parent: 'instructors',
    resource: 'student',
    owner: 'id',
  },
  {
    table: 'students',
    column: 'license_class_template_id',
    parent: 'license_class_templates',
    resource: 'student',
    owner: 'id',
  },
  {
    table: 'availability_windows',
    column: 'instructor_id',
    parent: 'instructors',
    resource: 'availability_window',
    owner: 'instructor_id',
  },
  {
    table: 'vacations',
    column: 'instructor_id',
    parent: 'instructors',
    resource: 'vacation',
    owner: 'instructor_id',
  },
  { table: 'links', column: 'instructor_id', parent: 'instructors', resource: 'calendar_feed', owner: 'id' },
  { table: 'links', column: 'student_id', parent: 'students', resource: 'student_link', owner: 'id' },
  { table: 'wishes', column: 'student_id', parent: 'students', resource: 'wish', owner: 'id' },
  { table: 'wishes', column: 'lesson_type_id', parent: 'lesson_types', resource: 'wish', owner: 'id' },
  { table: 'wishes', column: 'instructor_id', parent: 'instructors', resource: 'wish', owner: 'id' },
  { table: 'offers', column: 'instructor_id', parent: 'instructors', resource: 'offer', owner: 'id' },
  { table: 'offers', column: 'lesson_type_id', parent: 'lesson_types', resource: 'offer', owner: 'id' },
  { table: 'offers', column: 'appointment_id', parent: 'appointments', resource: 'offer', owner: 'id' },
  { table: 'offers', column: 'taken_by', parent: 'students', resource: 'offer', owner: 'id' },
  { table: 'offer_links', column: 'offer_id', parent: 'offers', resource: 'offer', owner: 'offer_id' },
  { table: 'offer_links', column: 'student_id', parent: 'students', resource: 'offer', owner: 'offer_id' },
  {
    table: 'schedule_requests',
    column: 'instructor_id',
    parent: 'instructors',
    resource: 'schedule_request',
    owner: 'id',
  },
  {
    table: 'template_requirements',
    column: 'license_class_template_id',
    parent: 'license_class_templates',
    resource: 'template_requirement',
    owner: 'license_class_template_id',
  },
  {
    table: 'template_requirements',
    column: 'lesson_type_id',
    parent: 'lesson_types',
    resource: 'template_requirement',
    owner: 'license_class_template_id',
  },
]

export const SCHOOL_TABLES = [
  'appointments',
  'availability_windows',
  'calendars',
  'changes',
  'closures',
  'idempotency_keys',
  'instructors',
  'lesson_types',
  'license_class_templates',
  'links',
  'locations',
  'mails',
  'offer_links',
  'offers',
  'message_causes',
  'messages',
  'schedule_requests',
  'students',
  'template_requirements',
  'users',
  'vacations',
  'vehicles',
  'wishes',
  'webhook_deliveries',
  'webhooks',
] as const
