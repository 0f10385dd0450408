-- title: What applications cost
-- description: EUR a month, by the department that owns them.
SELECT d.name, count(*) AS applications, sum(a."monthlyCost") AS cost
FROM applications a
JOIN departments d ON d.id = a."ownerDepartmentId"
GROUP BY d.name
ORDER BY cost DESC;
