/**
 * The constraints that the migrations make, by table. The names are enough: a constraint that is weakened on purpose can keep
 * its name, but one that is lost by accident is gone.
 */
export const CONSTRAINTS: Readonly<Record<string, readonly string[]>> = {
  appointments: [
    'appointments_actual_check',
    'appointments_check',
    'appointments_check1',
    'appointments_end_at_check',
    'appointments_instructor_busy',
    'appointments_pkey',
    'appointments_start_at_check',
    'appointments_status_check',
    'appointments_student_busy',
    'appointments_tenant_id_instructor_id_fkey',
    'appointments_tenant_id_lesson_type_id_fkey',
    'appointments_tenant_id_student_id_fkey',
  ],
  availability_windows: [
    'availability_windows_check',
    'availability_windows_pkey',
    'availability_windows_tenant_id_instructor_id_fkey',
    'availability_windows_weekday_check',
  ],
  calendars: ['calendars_pkey', 'calendars_tenant_id_fkey'],
  changes: ['changes_action_check', 'changes_actor_kind_check', 'changes_pkey'],
  closures: ['closures_dates_check', 'closures_pkey', 'closures_tenant_id_fkey'],
  idempotency_keys: ['idempotency_keys_pkey'],
  instructors: ['instructors_pkey', 'instructors_tenant_id_id_fkey'],
  lesson_types: [
    'lesson_types_pkey',
    'lesson_types_tenant_id_code_key',
    'lesson_types_tenant_id_fkey',
    'lesson_types_tenant_id_position_key',
  ],
  license_class_templates: [
    'license_class_templates_pkey',
    'license_class_templates_tenant_id_code_key',
    'license_class_templates_tenant_id_fkey',
    'license_class_templates_tenant_id_position_key',
  ],
  links: [
    'links_detail_check',
    'links_detail_of_feed_check',
    'links_holder_check',
    'links_pkey',
    'links_tenant_id_instructor_id_fkey',
    'links_tenant_id_instructor_id_key',
    'links_tenant_id_student_id_fkey',
    'links_tenant_id_student_id_key',
    'links_tenant_id_token_hash_key',
  ],
  login_addresses: ['login_addresses_pkey', 'login_addresses_user_id_fkey'],
  mails: ['mails_check', 'mails_check1', 'mails_pkey', 'mails_state_check'],
  password_links: [
    'password_links_email_check',
    'password_links_kind_check',
    'password_links_pkey',
    'password_links_secret_hash_key',
    'password_links_user_id_fkey',
  ],
  passkeys: ['passkeys_credential_id_key', 'passkeys_pkey', 'passkeys_user_id_fkey'],
  recovery_codes: ['recovery_codes_pkey', 'recovery_codes_user_id_fkey'],
  refresh_tokens: [
    'refresh_tokens_check',
    'refresh_tokens_family_id_fkey',
    'refresh_tokens_pkey',
    'refresh_tokens_token_hash_key',
  ],
  schedule_requests: [
    'schedule_requests_dates_check',
    'schedule_requests_kind_check',
    'schedule_requests_pkey',
    'schedule_requests_status_check',
    'schedule_requests_tenant_id_instructor_id_fkey',
  ],
  students: [
    'students_pkey',
    'students_tenant_id_id_fkey',
    'students_tenant_id_license_class_template_id_fkey',
    'students_tenant_id_preferred_instructor_id_fkey',
  ],
  template_requirements: [
    'template_requirements_pkey',
    'template_requirements_required_units_check',
    'template_requirements_tenant_id_lesson_type_id_fkey',
    'template_requirements_tenant_id_license_class_template_id_fkey',
  ],
  tenants: ['tenants_holidays_check', 'tenants_pkey', 'tenants_unit_minutes_check'],
  token_families: [
    'token_families_check',
    'token_families_pkey',
    'token_families_proof_check',
    'token_families_user_id_fkey',
  ],
  used_challenges: ['used_challenges_pkey'],
  users: [
    'users_email_check',
    'users_email_key',
    'users_instructor_check',
    'users_pkey',
    'users_role_check',
    'users_tenant_id_fkey',
  ],
  vacations: ['vacations_check', 'vacations_pkey', 'vacations_tenant_id_instructor_id_fkey'],
}

/** The indexes that the migrations make beside those of the constraints. */
export const INDEXES: readonly string[] = [
  'refresh_tokens_one_active',
  'students_by_name',
  'users_by_name',
  'login_failures_failed_at_idx',
  'token_families_user_id_idx',
  'passkeys_user_id_idx',
  'appointments_by_start',
  'changes_by_transaction',
  'login_failures_account_failed_at_idx',
  'appointments_of_instructor',
  'instructors_by_name',
  'refresh_tokens_expires_at_idx',
  'appointments_of_student',
  'appointments_of_series',
  'changes_of_resource',
  'changes_of_set',
  'changes_undoing_set',
  'schedule_requests_by_status',
  'schedule_requests_of_instructor',
  'refresh_tokens_family_id_idx',
  'login_failures_address_failed_at_idx',
  'users_of_instructor',
  'mails_waiting',
  'mails_by_address',
  'mails_finished',
]

/** A column that names a row of another table, and whose finding it is if there is none. Both have the same `tenant_id`. */
export type Reference = {
  readonly table: string
  readonly column: string
  readonly parent: string
  readonly resource: string
  /** The column with the id of that resource. */
  readonly owner: string
}

/** References within a school. Those to its own row, and those to calendars, are looked at elsewhere. */
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

/** Tables whose rows belong to a school. */
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
  'mails',
  'schedule_requests',
  'students',
  'template_requirements',
  'users',
  'vacations',
] as const
