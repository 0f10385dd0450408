import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, some } = seeded(5);

const students = times(90, (n) => ({
  'Student No': 20_000 + n * 3,
  'First Name': one(['Ann', 'Ben', 'Cas', 'Dora', 'Emil', 'Fay']),
  'Last Name': `Surname${n}`,
  Grade: between(5, 12),
  'Home Room': `R${between(1, 12)}`,
}));
const teachers = times(14, (n) => ({
  initials: `${'ABCDEFGHIJKLMN'[n - 1]}${'QRSTUVW'[n % 7]}${n % 2 ? 'X' : 'Y'}`,
  name: `Teacher ${n}`,
  subject: one(['Maths', 'Physics', 'History']),
}));
const rooms = times(12, (n) => ({ room: `R${n}`, seats: between(20, 34), floor: between(0, 3) }));
const courses = times(20, (n) => ({
  'Course Code': `${one(['MAT', 'PHY', 'HIS'])}${100 + n}`,
  Title: `Course ${n}`,
  Credits: between(2, 6),
}));
const sections = courses.flatMap((course) =>
  times(between(1, 3), (n) => ({
    course_code: course['Course Code'],
    section: n,
    teacher: one(teachers).initials,
    room: one(rooms).room,
  })),
);
const prerequisites = courses.slice(8).flatMap((course) =>
  some(courses.slice(0, 8), between(0, 2)).map((other) => ({
    course: course['Course Code'],
    requires: other['Course Code'],
  })),
);
const enrolments = students.flatMap((student) =>
  some(courses, between(2, 5)).flatMap((course) =>
    some(['2024A', '2024B', '2025A'], between(1, 2)).map((term) => ({
      student_no: student['Student No'],
      course_code: course['Course Code'],
      term,
      mark: between(1, 6),
    })),
  ),
);
const clubs = times(6, (n) => ({ id: n, name: `Club ${n}` }));
const club_members = clubs.flatMap(({ id }) =>
  some(students, between(4, 20)).map((student) => ({
    club_id: id,
    student: student['Student No'],
  })),
);

export const school: TestCatalogue = {
  tables: {
    students,
    teachers,
    rooms,
    courses,
    sections,
    prerequisites,
    enrolments,
    clubs,
    club_members,
  },
  keys: {
    students: 'Student No',
    teachers: 'initials',
    rooms: 'room',
    courses: 'Course Code',
    sections: 'course_code + section',
    prerequisites: 'course + requires',
    enrolments: 'student_no + course_code + term',
    clubs: 'id',
    club_members: 'club_id + student',
  },
  labels: {
    students: 'Last Name',
    teachers: 'name',
    rooms: 'room',
    courses: 'Title',
    clubs: 'name',
  },
  relations: [
    'students.Home Room → rooms.room',
    'sections.course_code → courses.Course Code',
    'sections.teacher → teachers.initials',
    'sections.room → rooms.room',
    'prerequisites.course → courses.Course Code',
    'prerequisites.requires → courses.Course Code',
    'enrolments.student_no → students.Student No',
    'enrolments.course_code → courses.Course Code',
    'club_members.club_id → clubs.id',
    'club_members.student → students.Student No',
  ],
  links: ['prerequisites', 'club_members'],
};
