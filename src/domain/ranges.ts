/** An inclusive range. */
export type Range = { readonly min: number; readonly max: number }

/** Lengths in characters. */
export const NAME_LENGTH: Range = { min: 1, max: 200 }
export const SIGNED_NAME_LENGTH: Range = { min: 1, max: 100 }
export const TITLE_LENGTH: Range = { min: 1, max: 200 }
export const INSTRUCTOR_NUMBER_LENGTH: Range = { min: 1, max: 20 }
export const NOTES_LENGTH: Range = { min: 0, max: 5000 }
export const ADDRESS_LENGTH: Range = { min: 1, max: 300 }
export const PHONE_LENGTH: Range = { min: 1, max: 50 }
export const EMAIL_LENGTH: Range = { min: 3, max: 254 }
export const LICENSE_CLASS_LENGTH: Range = { min: 1, max: 30 }

/** The length in bytes of UTF-8. */
export const PASSWORD_BYTES: Range = { min: 8, max: 1024 }

/** Units of a limit or an override. */
export const DAILY_UNITS: Range = { min: 0, max: 96 }
export const WEEKLY_UNITS: Range = { min: 0, max: 672 }

/** Durations in minutes. */
export const UNIT_MINUTES: Range = { min: 10, max: 240 }
export const BREAK_MINUTES: Range = { min: 0, max: 1440 }
export const CONTINUOUS_MINUTES: Range = { min: 1, max: 1440 }
export const APPOINTMENT_MINUTES: Range = { min: 1, max: 1440 }

export const POSITION: Range = { min: 0, max: 999 }

/** The people beside a student. */
export const MAX_CONTACTS = 5

/** Units and entries of a student's opening balance. */
export const OPENING_UNITS: Range = { min: 0, max: 1000 }
export const MAX_OPENING_ENTRIES = 100
/** Minutes and topics of a credit. */
export const CREDIT_MINUTES: Range = { min: 1, max: 60_000 }
export const MAX_CREDIT_TOPICS = 50

/** A fee in percent, the notice of a cancellation, and the steps of a policy. */
export const FEE_PERCENT: Range = { min: 0, max: 100 }
export const NOTICE_HOURS: Range = { min: 0, max: 1000 }
export const NOTICE_DAYS: Range = { min: 0, max: 60 }
/** The days of an absence with a plan for its lessons, and the decisions on these. */
export const MAX_DAYS_OF_ABSENCE = 92
export const MAX_DECISIONS = 500
/** The most lessons of others that a plan of an absence moves. */
export const MAX_MOVED_LESSONS = 3

export const MAX_POLICY_STEPS = 20
export const CATEGORY_LENGTH: Range = { min: 1, max: 100 }

export const MAX_LICENSE_CLASSES = 50
export const MAX_AVAILABILITY_WINDOWS = 100
export const MAX_WEEKS_IN_TURN = 4
export const MAX_VACATIONS = 200

/** The seats of a lesson type, and the characters of a topic. */
export const SEATS: Range = { min: 1, max: 100 }
export const TOPIC_LENGTH: Range = { min: 1, max: 100 }

/** The closures of a school: in every search for a time, each of its days is compared with them. */
export const MAX_CLOSURES = 400
export const MAX_DAYS_OF_HOLIDAYS = 1_100

/** Minutes between two locations, and the locations of a school. */
export const TRAVEL_MINUTES: Range = { min: 0, max: 1440 }
export const MAX_LOCATIONS = 100

/** The lessons that a student has in a week, and the times at which a student can come in one. */
export const LESSONS_A_WEEK: Range = { min: 0, max: 7 }
export const MAX_AVAILABLE_TIMES = 28

/** The bounds of the times that students choose on their page, and of the lessons that they book. */
export const BOOKING_NOTICE_HOURS: Range = { min: 1, max: 336 }
export const BOOKING_HORIZON_DAYS: Range = { min: 1, max: 92 }
export const LESSONS_AHEAD: Range = { min: 1, max: 20 }
export const MAX_BOOKABLE_TYPES = 50

/** The wishes of a student, the students of one offer, and the offers to a student within seven days. */
export const MAX_WISHES = 20
export const MAX_STUDENTS_OF_AN_OFFER = 50
export const MAX_SIGNING_STUDENTS = 100
export const MAX_OFFERS_A_WEEK = 7

/** The name of a school in the address of its form for enquiries, the websites that embed it, and the text of an enquiry. */
export const SLUG_LENGTH: Range = { min: 3, max: 60 }
export const ORIGIN_LENGTH: Range = { min: 1, max: 260 }
export const MAX_ORIGINS = 10
export const ENQUIRY_LENGTH: Range = { min: 1, max: 1000 }

export const MAP_URL_LENGTH: Range = { min: 1, max: 500 }

export const VEHICLE_NAME_LENGTH: Range = { min: 1, max: 100 }
export const PLATE_LENGTH: Range = { min: 1, max: 20 }
export const VEHICLE_NOTES_LENGTH: Range = { min: 0, max: 2000 }
export const MAX_ABSENCES = 200
export const MAX_VEHICLES_OF_AN_APPOINTMENT = 3

export const SERIES_WEEKS: Range = { min: 1, max: 8 }
export const SERIES_DAYS: Range = { min: 1, max: 56 }
export const MAX_LESSONS_OF_A_SERIES = 52
export const SHIFTED_DAYS: Range = { min: -6, max: 6 }
export const SERIES_COUNT: Range = { min: 2, max: MAX_LESSONS_OF_A_SERIES }
/** The maximum refused dates of a shifted series, and the days ahead in which a class on a topic is searched for. */
export const MAX_SHIFTS = 52
export const TOPIC_DAYS = 92

export const MAX_LESSONS_OF_A_BATCH = 20

/** A student's appointments that are neither cancelled nor over. */
export const MAX_OPEN_APPOINTMENTS = 5_000

export const MAX_IMPORTED_LINES = 5_000
export const MAX_IMPORTED_VEHICLES = 500
export const MAX_FILE_BYTES = 2 * 1024 * 1024

/** The hours from a reminder to its lesson, and the maximum number of reminders. */
export const REMINDER_HOURS: Range = { min: 1, max: 168 }
export const MAX_REMINDERS = 5

/** The days of a plan, the work for it, and the weights of its score. */
export const MAX_PLAN_DAYS = 14
export const PLAN_EFFORT: Range = { min: 1, max: 10 }
export const PLAN_WEIGHT: Range = { min: 0, max: 3 }
/** The most students of a plan: the search for so many who can always come takes a minute of processor. */
export const MAX_PLANNED_STUDENTS = 1000
export const API_TOKEN_DAYS: Range = { min: 1, max: 366 }
