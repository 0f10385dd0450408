-- People by department
-- With how many of them work elsewhere.
SELECT d.name, count(*) AS people, count(*) FILTER (p."isRemote") AS remote
FROM people p
JOIN departments d ON d.id = p."departmentId"
GROUP BY d.name
ORDER BY people DESC, d.name;
