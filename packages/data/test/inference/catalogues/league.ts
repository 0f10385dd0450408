import { seeded, times } from '../make-tables.ts';
import type { TestCatalogue } from './catalogue.ts';

const { between, one, day } = seeded(43);

const teams = 'ALT BRK CDN DVR ESK FNX GLD HRT'
  .split(' ')
  .map((team_id, at) => ({ team_id, team_name: `Club ${at}`, founded: 1890 + at }));
const venues = times(8, (n) => ({ id: n, name: `Ground ${n}`, capacity: between(3000, 60_000) }));
const players = times(120, (n) => ({
  player_id: n,
  player_name: `Player ${n}`,
  team_id: one(teams).team_id,
  shirt_number: between(1, 30),
  position: one(['GK', 'DF', 'MF', 'FW']),
  nationality: one(['NO', 'BR', 'IT', 'GH']),
}));
const referees = times(6, (n) => ({ referee_id: n, name: `Ref ${n}` }));
const matches = times(90, (n) => ({
  match_id: n,
  home_team: one(teams).team_id,
  away_team: one(teams).team_id,
  venue_id: between(1, 8),
  referee: between(1, 6),
  played_on: day(2025),
  home_goals: between(0, 5),
  away_goals: between(0, 4),
  attendance: between(900, 50_000),
}));
const goals = times(210, () => ({
  match_id: between(1, 90),
  minute: between(1, 90),
  scorer: between(1, 120),
  is_penalty: between(0, 1) === 1,
}));
const transfers = times(40, (n) => ({
  id: n,
  player: between(1, 120),
  from_team: one(teams).team_id,
  to_team: one(teams).team_id,
  fee: between(1, 90) * 100_000,
}));
const standings = [2023, 2024, 2025].flatMap((season) =>
  teams.map(({ team_id }, at) => ({
    season,
    team: team_id,
    rank: at + 1,
    points: between(10, 90),
  })),
);

export const league: TestCatalogue = {
  tables: { teams, venues, players, referees, matches, goals, transfers, standings },
  keys: {
    teams: 'team_id',
    venues: 'id',
    players: 'player_id',
    referees: 'referee_id',
    matches: 'match_id',
    goals: '',
    transfers: 'id',
    standings: 'season + team',
  },
  labels: { teams: 'team_name', venues: 'name', players: 'player_name', referees: 'name' },
  relations: [
    'players.team_id → teams.team_id',
    'matches.home_team → teams.team_id',
    'matches.away_team → teams.team_id',
    'matches.venue_id → venues.id',
    'matches.referee → referees.referee_id',
    'goals.match_id → matches.match_id',
    // Not goals.scorer: nothing in its name, and its values are small numbers.
    'transfers.player → players.player_id',
    'transfers.from_team → teams.team_id',
    'transfers.to_team → teams.team_id',
    'standings.team → teams.team_id',
  ],
};
