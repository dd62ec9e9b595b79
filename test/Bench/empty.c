/* The yardstick of start-up: a program that does nothing. */
int main(void) { return 0; }
